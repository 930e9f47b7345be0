// Writes the manifest of an entry, so that a console can show its pages without loading the module.

const FIELDS = ['path', 'name', 'icon', 'parent', 'meta', 'id']

/** Keeps known fields in a fixed order, so that the same entry builds the same bytes. */
const plain = (item) =>
  Object.fromEntries(FIELDS.filter((field) => item[field] !== undefined).map((field) => [field, item[field]]))

/** Emits `manifest.json`. @param {import('./index.d.ts').EntryManifest} manifest */
export function entryManifest({ routes = [], tools = [] }) {
  for (const { path, name } of routes) {
    if (typeof path !== 'string' || !path.startsWith('/') || !name)
      throw new TypeError('manifest.routes: each needs a path that begins with "/", and a name')
  }
  return {
    name: 'mynah:entry-manifest',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: `${JSON.stringify({ routes: routes.map(plain), tools: tools.map(plain) })}\n`,
      })
    },
  }
}
