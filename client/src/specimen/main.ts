import { start } from '../page'
import Specimen from './Specimen.svelte'

void start(Specimen)
