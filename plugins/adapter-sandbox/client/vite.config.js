// Builds the sandbox page: client/dist/index.js, index.css and the manifest of its console page.
import { entryPreset } from '@mynah/console/entry-preset'
import { pageDefinition } from './src/page-definition.ts'

export default entryPreset({ root: import.meta.dirname, manifest: { routes: [pageDefinition] } })
