// Builds the sandbox page: client/dist/index.js and index.css.
import { entryPreset } from '@mynah/console/entry-preset'

export default entryPreset({ root: import.meta.dirname })
