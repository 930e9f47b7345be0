// Texts of the configuration file, for plugins that read or change one.
export { maskYaml } from './mask-yaml.js'
export { setSection } from './edit-yaml.js'
export { changedSecrets } from './secrets.js'
export { parseYaml } from './values.js'
