import type { EndpointRow, PluginItem } from '@mynah/contract/types'
import { pages } from '../lib/pages.js'
import { navigate } from '../lib/router.js'
import { schemaRows } from '../lib/schema-rows.js'
import { useResource } from '../lib/use-resource.js'
import { t } from './palette-texts.js'
import type { Command } from './commands.js'
import { host } from './host.js'

interface HostItemSources {
  readonly plugins?: readonly PluginItem[] | undefined
  readonly endpoints?: readonly Pick<EndpointRow, 'adapter' | 'name'>[] | undefined
  readonly schemas?: Readonly<Record<string, unknown>> | undefined
}

const encoded = encodeURIComponent

/**
 * Returns a command for each named item of the host, which opens its page. `has` tests whether this console has a
 * page.
 */
function hostItems(
  { plugins = [], endpoints = [], schemas = {} }: HostItemSources,
  has: (path: string) => boolean,
): Command[] {
  const thing = (id: string, name: string, kind: string, path: string, mono = false): Command => ({
    id,
    name,
    group: 'things',
    kind,
    path,
    mono,
    run: () => navigate(path),
  })
  return [
    ...plugins.map(({ name }) => thing(`plugin:${name}`, name, t('plugin'), `/plugins/${encoded(name)}`)),
    ...endpoints.map(({ adapter, name }) =>
      thing(
        `endpoint:${adapter}:${name}`,
        name,
        t('endpoint', { adapter }),
        has('/endpoints/:adapter/:endpointId') ? `/endpoints/${encoded(adapter)}/${encoded(name)}` : '/dashboard',
      ),
    ),
    ...plugins.flatMap((plugin) =>
      plugin.features
        .filter(({ name }) => name === 'commands')
        .flatMap(({ items }) =>
          items.map(({ name }) =>
            thing(
              `command:${name}`,
              `/${name}`,
              t('botCommand', { plugin: plugin.name }),
              `/plugins/${encoded(plugin.name)}`,
              true,
            ),
          ),
        ),
    ),
    ...Object.entries(schemas).flatMap(([plugin, schema]) =>
      schemaRows(schema).map(({ path }) =>
        thing(
          `setting:${plugin}:${path}`,
          path,
          t('setting', { plugin }),
          `/plugins/${encoded(plugin)}?tab=settings`,
          true,
        ),
      ),
    ),
  ]
}

/** Loads the named items of the connected host. Lists that fail to load are left out. */
export function useHostItems(): Command[] {
  const plugins = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const endpoints = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const schemas = useResource<Record<string, unknown>>('schema:get-all', (signal) =>
    host().rpc('schema:get-all', {}, { signal }),
  )
  return hostItems({ plugins: plugins.data, endpoints: endpoints.data, schemas: schemas.data }, (path) =>
    pages().some((page) => page.path === path),
  )
}
