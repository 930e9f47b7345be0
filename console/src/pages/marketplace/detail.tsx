// One package: whether it is here, how to install it, what it says of itself, as text.
import type { MarketplaceDetail } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { listed } from '../../kit/listed.js'
import { dateTime } from '../../kit/when.js'
import { currentLocale, figures, t } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Code, EmptyState, Facts, PageHead } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import { useChosen } from '../../lib/title.js'
import './page.css'
import { shortName, webAddress } from './model.js'
import { p } from './texts.js'

export function MarketplaceDetailPage({ params }: PageProps) {
  const name = params['name'] ?? ''
  const detail = useResource<{ data: MarketplaceDetail; stale?: boolean }>(
    `GET /pub/marketplace/detail/${name}`,
    (signal) => host().rest('GET /pub/marketplace/detail/*name', { params: { name }, signal }),
  )
  const found = detail.data?.data
  useChosen(found?.displayName)
  return (
    <>
      <PageHead
        title={found?.displayName ?? name}
        fact={
          found ? (
            <>
              <code>{found.name}</code> <span>{found.version}</span>
              {found.isOfficial ? <span>{p('official')}</span> : null}
            </>
          ) : undefined
        }
        actions={
          <>
            <Button href="/marketplace">{p('back')}</Button>
            <Button onClick={detail.reload} hotkey="r">
              {t('refresh')}
            </Button>
          </>
        }
      />
      <Loaded
        resource={detail}
        missing={() => (
          <EmptyState title={p('missing', { name })} action={<Button href="/marketplace">{p('back')}</Button>} />
        )}
      >
        {({ data, stale }) => <Content data={data} stale={stale === true} />}
      </Loaded>
    </>
  )
}

const Link = ({ to }: { readonly to: string }) => {
  const href = webAddress(to)
  return href ? (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {href.replace(/^https?:\/\//, '')}
    </a>
  ) : (
    <>{to}</>
  )
}
const pairs = (map: Readonly<Record<string, string>>): string =>
  listed(Object.entries(map).map(([name, range]) => `${name} ${range}`))

function Content({ data, stale }: { readonly data: MarketplaceDetail; readonly stale: boolean }) {
  const newer = data.installed !== undefined && data.installed !== data.version
  return (
    <>
      {stale ? (
        <p class="amber" role="status">
          {p('stale')}
        </p>
      ) : null}
      <p class="lead">{data.description}</p>
      <div class="columns-2">
        <div class="stack">
          <Section
            title={p('install')}
            fact={
              data.installed === undefined ? (
                p('notInstalled')
              ) : (
                <>
                  {p('installed', { version: data.installed })}{' '}
                  {newer ? p('newer', { version: data.version }) : p('upToDate')}
                </>
              )
            }
          >
            <div class="stack tight">
              {data.installed === undefined || newer ? (
                <>
                  <p class="muted">{p('installText')}</p>
                  <Code label={p('command')} text={`npm install ${data.name}@${data.version}`} />
                </>
              ) : null}
              {data.installed === undefined ? (
                <Code label={p('yaml')} text={`plugins:\n  - ${shortName(data.name)}`} />
              ) : null}
            </div>
          </Section>
          <Section title={p('readme')}>
            {data.readme ? (
              <pre class="readme" tabIndex={0}>
                {data.readme}
              </pre>
            ) : (
              <EmptyState title={p('noReadme')} />
            )}
          </Section>
        </div>
        <Section title={p('about')}>
          <Facts
            facts={[
              { label: p('license'), value: data.license },
              { label: p('author'), value: data.author },
              { label: p('homepage'), value: data.homepage ? <Link to={data.homepage} /> : undefined },
              { label: p('repository'), value: data.repository ? <Link to={data.repository} /> : undefined },
              {
                label: p('published'),
                value: data.publishedAt === null ? undefined : dateTime(data.publishedAt, currentLocale()),
              },
              { label: p('weekly'), value: figures(data.downloads.weekly) },
              { label: p('monthly'), value: figures(data.downloads.monthly) },
              { label: p('engines'), value: pairs(data.engines) },
              { label: p('peers'), value: pairs(data.peerDependencies) },
              { label: p('keywords'), value: listed(data.keywords) },
              { label: p('versions'), value: listed(data.versions.slice(0, 12)) },
            ]}
          />
        </Section>
      </div>
    </>
  )
}
