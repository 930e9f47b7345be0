// `node tools/docs.mjs`: builds the documentation as a site with a search. Dead links between pages fail the build.
//
// The pages stay where they are, next to what they describe. They are copied with their paths, and the links of the
// repository are those of the site. The tests of the documentation check links to other files, and the code.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn, root, run, workspaces } from './lib.mjs'
import { SOURCE } from './manifests.mjs'
import { onDemand } from './on-demand.mjs'
import { reference } from './reference.mjs'

const SITE = join(root, '.cache', 'site')
const IMAGE = /\.(?:png|svg)$/
/** Links to files of the repository that are no pages. Their place on the site is the repository. */
const LINK = /(\]\()(?![a-z]{1,20}:|#)([^)\s#]{1,300})((?:#[^)\s]{1,200})?\))/g

/** Returns the paths of all pages: those of docs/, and the README of each workspace. */
export function pagesOf(from = root) {
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    ...filesIn(join(from, 'docs'), (file) => file.endsWith('.md')).map((file) => `docs/${file}`),
    ...workspaces(from).map((folder) => `${folder}/README.md`),
    'deploy/README.md',
    'examples/recipes/README.md',
  ].filter((page) => existsSync(join(from, page)))
}

/**
 * Returns a page whose links to folders lead to the pages of these. Links to other files lead to the repository, or to
 * a page that explains it while the project has no address.
 */
export function asPage(text, page, pages, source = SOURCE) {
  const known = new Set(pages)
  return text.replace(LINK, (whole, open, target, rest) => {
    const path = normalize(join(dirname(page), target)).replace(/\/$/, '')
    if (known.has(path) || IMAGE.test(path)) return whole
    const readme = path === '.' ? 'README.md' : `${path}/README.md`
    if (known.has(readme)) return `${open}${target.replace(/\/$/, '')}/README.md${rest}`
    return `${open}${source ? source + path : '/sources.md'}${rest.replace(/^#[^)]*/, '')}`
  })
}

/** Returns the title of a page: its first heading. */
const titleIn = (text) => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '')
const titleOf = (page) => titleIn(readFileSync(join(root, page), 'utf8')) ?? page
const linkOf = (page) => `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`
const group = (text, pages, collapsed = false) => ({
  text,
  collapsed,
  items: pages.map((page) => ({ text: titleOf(page), link: linkOf(page) })),
})

/** The guides, in the order in which most people need them. Others follow. */
const GUIDES = ['compose', 'connect', 'models', 'agent', 'skills', 'shell', 'jobs', 'mcp', 'speech', 'assistant']

/** Returns the pages of the guides in a folder, in that order. */
export function guidesIn(folder, pages) {
  const rank = (page) => (GUIDES.indexOf(basename(page, '.md')) + GUIDES.length + 1) % (GUIDES.length + 1)
  const own = pages.filter((page) => dirname(page) === folder)
  return own.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** Returns the groups of the side bar, by reader. */
function sidebar(pages, generated) {
  const within = (folder) => pages.filter((page) => page.startsWith(`${folder}/`))
  const docs = (...names) => names.map((name) => `docs/${name}.md`)
  return [
    group('First steps', ['README.md', ...guidesIn('docs/guides', pages), 'create-mynah/README.md']),
    group('中文', guidesIn('docs/guides/zh-CN', pages), true),
    group('Operators', [
      ...docs('configuration', 'deploying', 'upgrading', 'errors'),
      'plugins/mynah/README.md',
      'CHANGELOG.md',
    ]),
    group('Authors', [
      ...docs('plugins', 'adapters'),
      ...['console', 'sdk', 'contract', 'kernel', 'database-api'].map((name) => `${name}/README.md`),
    ]),
    {
      text: 'Reference',
      collapsed: true,
      items: Array.from(generated, ([page, text]) => ({ text: titleIn(text), link: linkOf(page) })),
    },
    group('Plugins', within('plugins'), true),
    group('Examples', within('examples'), true),
    group(
      'Contributors',
      ['CONTRIBUTING.md', ...docs('architecture', 'walks', 'glossary', 'benchmarks'), ...within('docs/adr')],
      true,
    ),
  ]
}

const config = (pages, generated) =>
  `export default ${JSON.stringify(
    {
      title: 'Mynah',
      description: 'A host for chat bots in which every feature is a plugin',
      cleanUrls: true,
      metaChunk: true,
      rewrites: Object.fromEntries(
        pages
          .filter((page) => page.endsWith('README.md'))
          .map((page) => [page, page.replace(/README\.md$/, 'index.md')]),
      ),
      themeConfig: { search: { provider: 'local' }, outline: [2, 3], sidebar: sidebar(pages, generated) },
    },
    null,
    2,
  )}\n`

/** Copies all pages and their pictures, and writes the reference and the configuration of the site. */
function stage(pages, { pages: generated, openapi }) {
  rmSync(SITE, { recursive: true, force: true })
  mkdirSync(join(SITE, '.vitepress'), { recursive: true })
  for (const page of pages) {
    mkdirSync(dirname(join(SITE, page)), { recursive: true })
    writeFileSync(join(SITE, page), asPage(readFileSync(join(root, page), 'utf8'), page, pages))
  }
  const folders = new Set(pages.map(dirname).filter((folder) => folder !== '.'))
  for (const folder of ['docs/screenshots', ...folders].filter((name) => existsSync(join(root, name))))
    for (const name of readdirSync(join(root, folder)).filter((file) => IMAGE.test(file)))
      cpSync(join(root, folder, name), join(SITE, folder, name))
  writeFileSync(
    join(SITE, 'sources.md'),
    '# Sources\n\nThis link leads to a file of the repository, which is no page of this site.\n',
  )
  for (const [page, text] of generated) {
    mkdirSync(dirname(join(SITE, page)), { recursive: true })
    writeFileSync(join(SITE, page), text)
  }
  mkdirSync(join(SITE, 'public'))
  writeFileSync(join(SITE, 'public', 'openapi.json'), JSON.stringify(openapi))
  writeFileSync(join(SITE, '.vitepress', 'config.mjs'), config(pages, generated))
}

/** Builds the site in `.cache/site/.vitepress/dist`. Returns the exit code. */
async function build() {
  const pages = pagesOf()
  stage(pages, await reference())
  const modules = join(await onDemand('docs'), 'node_modules')
  symlinkSync(modules, join(SITE, 'node_modules'))
  return run(process.execPath, [join(modules, 'vitepress/bin/vitepress.js'), 'build', SITE])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await build()
  if (process.exitCode === 0) process.stdout.write('the site is in .cache/site/.vitepress/dist\n')
}
