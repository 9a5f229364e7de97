/** Language code to the language's own name, written in by vite.config.ts. */
declare const LANGUAGES: Record<string, string>
