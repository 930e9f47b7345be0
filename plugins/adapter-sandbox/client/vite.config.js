// Builds the sandbox page: client/dist/index.js and index.css, and the manifest by which the console knows its place before.
import { entryPreset } from '@mynah/console/entry-preset'
import { place } from './src/place.ts'

export default entryPreset({ root: import.meta.dirname, manifest: { routes: [place] } })
