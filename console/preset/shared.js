// Bare names that the console's import map resolves for entries, and the module of the shell behind each.

/** Version of the UI kit: raised when an entry built for the former one would break. */
export const UI_VERSION = 1

/** The name under which a built entry imports the UI kit. */
export const versionedUi = `@mynah/console/ui@${UI_VERSION}`

/** @type {Readonly<Record<string, string>>} */
export const sharedModules = {
  react: 'react',
  'react-dom': 'react-dom',
  'react-dom/client': 'react-dom-client',
  'react/jsx-runtime': 'react-jsx-runtime',
  'react/jsx-dev-runtime': 'react-jsx-dev-runtime',
  preact: 'preact',
  'preact/hooks': 'preact-hooks',
  'preact/compat': 'react',
  'preact/compat/client': 'react-dom-client',
  'preact/jsx-runtime': 'preact-jsx-runtime',
  'preact/jsx-dev-runtime': 'preact-jsx-runtime',
  'preact/compat/jsx-runtime': 'react-jsx-runtime',
  '@mynah/console/ui': 'ui',
  [versionedUi]: 'ui',
}
