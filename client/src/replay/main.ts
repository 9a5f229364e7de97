import { start } from '../page'
import App from './App.svelte'

void start(App)
