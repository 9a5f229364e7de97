import { start } from '../page'
import FileApp from './FileApp.svelte'

void start(FileApp)
