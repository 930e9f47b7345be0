// Writes down, beside the built module, what an entry will register, so that a console can show its place without loading it.

const FIELDS = ['path', 'name', 'icon', 'parent', 'meta', 'id']

/** Only what a manifest may say, in one order, so that the same entry gives the same bytes. */
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
