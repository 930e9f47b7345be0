import type { MarketplaceDetail } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { joinList } from '../../kit/join-list.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Code, EmptyState, Facts, PageHead, Skeleton } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import { useOpenItem } from '../../lib/document-title.js'
import './page.css'
import { Installer, useInstalls } from './installer.js'
import { shortName, webAddress } from './model.js'
import { t } from './texts.js'

export function MarketplaceDetailPage({ params }: PageProps) {
  const name = params['name'] ?? ''
  const detail = useResource<{ data: MarketplaceDetail; stale?: boolean }>(
    `GET /pub/marketplace/detail/${name}`,
    (signal) => host().rest('GET /pub/marketplace/detail/*name', { params: { name }, signal }),
  )
  const found = detail.data?.data
  useOpenItem(found?.displayName)
  return (
    <>
      <PageHead
        title={found?.displayName ?? name}
        fact={
          found ? (
            <>
              <code>{found.name}</code> <span>{found.version}</span>
              {found.isOfficial ? <span>{t('official')}</span> : null}
            </>
          ) : undefined
        }
        actions={
          <>
            <Button href="/marketplace">{t('back')}</Button>
            <Button onClick={detail.reload} hotkey="r">
              {t('refresh')}
            </Button>
          </>
        }
      />
      <Loaded
        resource={detail}
        missing={() => (
          <EmptyState title={t('missing', { name })} action={<Button href="/marketplace">{t('back')}</Button>} />
        )}
      >
        {({ data, stale }) => <Content data={data} stale={stale === true} onChanged={detail.reload} />}
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
  joinList(Object.entries(map).map(([name, range]) => `${name} ${range}`))

interface ContentProps {
  readonly data: MarketplaceDetail
  readonly stale: boolean
  readonly onChanged: () => void
}

function Content({ data, stale, onChanged }: ContentProps) {
  const newer = data.installed !== undefined && data.installed !== data.version
  const installs = useInstalls()
  return (
    <>
      {stale ? (
        <p class="amber" role="status">
          {t('stale')}
        </p>
      ) : null}
      <p class="lead">{data.description}</p>
      <div class="columns-2">
        <div class="stack">
          <Section
            title={t('install')}
            fact={
              data.installed === undefined ? (
                t('notInstalled')
              ) : (
                <>
                  {t('installed', { version: data.installed })}{' '}
                  {newer ? t('newer', { version: data.version }) : t('upToDate')}
                </>
              )
            }
          >
            <div class="stack tight">
              {installs === undefined ? <Skeleton rows={1} label={t('loading')} /> : null}
              {installs === true ? <Installer data={data} onDone={onChanged} /> : null}
              {installs === false ? <Commands data={data} newer={newer} /> : null}
            </div>
          </Section>
          <Section title={t('readme')}>
            {data.readme ? (
              <pre class="readme" tabIndex={0}>
                {data.readme}
              </pre>
            ) : (
              <EmptyState title={t('noReadme')} />
            )}
          </Section>
        </div>
        <Section title={t('about')}>
          <Facts
            facts={[
              { label: t('license'), value: data.license },
              { label: t('author'), value: data.author },
              { label: t('homepage'), value: data.homepage ? <Link to={data.homepage} /> : undefined },
              { label: t('repository'), value: data.repository ? <Link to={data.repository} /> : undefined },
              {
                label: t('published'),
                value: data.publishedAt === null ? undefined : moment(data.publishedAt, Date.now(), currentLocale()),
              },
              { label: t('weekly'), value: formatNumber(data.downloads.weekly) },
              { label: t('monthly'), value: formatNumber(data.downloads.monthly) },
              { label: t('engines'), value: pairs(data.engines) },
              { label: t('peers'), value: pairs(data.peerDependencies) },
              { label: t('keywords'), value: joinList(data.keywords) },
              { label: t('versions'), value: joinList(data.versions.slice(0, 12)) },
            ]}
          />
        </Section>
      </div>
    </>
  )
}

/** The commands for a host that does not install packages itself. */
function Commands({ data, newer }: { readonly data: MarketplaceDetail; readonly newer: boolean }) {
  return (
    <>
      {data.installed === undefined || newer ? (
        <>
          <p class="muted">{t('installText')}</p>
          <Code label={t('command')} text={`npm install ${data.name}@${data.version}`} />
        </>
      ) : null}
      {data.installed === undefined ? <Code label={t('yaml')} text={`plugins:\n  - ${shortName(data.name)}`} /> : null}
    </>
  )
}
