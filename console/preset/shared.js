// Bare names that the console's import map resolves for entries, and the module of the shell behind each.

/** @type {Readonly<Record<string, string>>} */
export const sharedModules = {
  'react': 'react',
  'react-dom': 'react-dom',
  'react-dom/client': 'react-dom-client',
  'react/jsx-runtime': 'react-jsx-runtime',
  'react/jsx-dev-runtime': 'react-jsx-dev-runtime',
  'preact': 'preact',
  'preact/hooks': 'preact-hooks',
  'preact/compat': 'react',
  'preact/compat/client': 'react-dom-client',
  'preact/jsx-runtime': 'preact-jsx-runtime',
  'preact/jsx-dev-runtime': 'preact-jsx-runtime',
  'preact/compat/jsx-runtime': 'react-jsx-runtime',
  '@mynah/console/ui': 'ui',
}
