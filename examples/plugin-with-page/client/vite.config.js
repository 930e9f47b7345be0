// Builds the page: client/dist/index.js.
import { entryPreset } from '@mynah/console/entry-preset'

export default entryPreset({ root: import.meta.dirname })
