/** Keeps the screen on while a game runs; started in a tap, because browsers ask for one. */

/** How it is done on this phone; `none`: show the hint to set the screen's time by hand. */
export type Awake = 'lock' | 'video' | 'none'

export class KeepAwake {
  #lock: WakeLockSentinel | null = null
  #video: HTMLVideoElement | null = null
  #wanted = false

  /** Call it inside a tap; again does no harm. */
  async start(): Promise<Awake> {
    if (!this.#wanted) document.addEventListener('visibilitychange', this.#again)
    this.#wanted = true
    return this.#hold()
  }

  stop(): void {
    this.#wanted = false
    document.removeEventListener('visibilitychange', this.#again)
    void this.#lock?.release()
    this.#lock = null
    this.#video?.remove()
    this.#video = null
  }

  async #hold(): Promise<Awake> {
    // Declared as always there, but missing on plain http, which is how we are served.
    const api = navigator.wakeLock as WakeLock | undefined
    try {
      if (api) {
        this.#lock = await api.request('screen')
        return 'lock'
      }
      this.#video ??= movingPicture()
      await this.#video.play()
      return 'video'
    } catch {
      return 'none'
    }
  }

  /** The browser lets both go when the page is hidden. */
  readonly #again = (): void => {
    if (this.#wanted && document.visibilityState === 'visible') void this.#hold()
  }
}

/** A playing video keeps a screen on, even four pixels of a canvas; it must be in the page and asks no sound of anybody. */
function movingPicture(): HTMLVideoElement {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 2
  canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
  const video = document.createElement('video')
  video.muted = video.playsInline = true
  video.className = 'sr'
  video.ariaHidden = 'true'
  video.srcObject = canvas.captureStream(1)
  document.body.append(video)
  return video
}
