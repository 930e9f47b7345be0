import { useCatalogue } from '../../app/catalogue.js'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, PageHead, Updated } from '../../ui/index.js'
import { Loaded, Stale } from '../../ui/parts/index.js'
import { BaseTable } from './base-table.js'
import './page.css'
import { Question } from './question.js'
import { t } from './texts.js'
import type { Base } from './wire.js'

/** The configuration page, where bases are named. */
const SETTINGS = `/config?section=${encodeURIComponent('ai.knowledge')}`

interface BaseList {
  readonly bases: readonly Base[]
}

export function KnowledgePage() {
  const { has } = useCatalogue()
  const query = useQuery({ q: '', in: '', open: '' })
  const list = useResource<BaseList>('knowledge:list', (signal) => call('knowledge:list', {}, signal))
  return (
    <>
      <Head list={list} />
      <Loaded resource={list}>
        {({ bases }) =>
          bases.length === 0 ? (
            <EmptyState title={t('empty')} action={<Button href={SETTINGS}>{t('config')}</Button>}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <>
              <Question bases={bases} query={query} />
              <BaseTable
                bases={bases}
                open={query.values.open}
                canChange={has('knowledge:upload')}
                onOpen={(open) => query.set({ open }, { replace: true })}
                onChanged={list.reload}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

const total = (bases: readonly Base[], figure: 'files' | 'chunks' | 'pending'): number =>
  bases.reduce((sum, base) => sum + base[figure], 0)

function Head({ list }: { readonly list: Resource<BaseList> }) {
  const bases = list.data?.bases ?? []
  const waiting = total(bases, 'pending')
  return (
    <PageHead
      title={t('page.knowledge')}
      fact={
        list.data ? (
          <>
            <span>
              {joinFacts(
                t('fact', { count: total(bases, 'files') }),
                t('passages', { count: total(bases, 'chunks') }),
                waiting > 0 ? t('waiting', { count: waiting }) : '',
              )}
            </span>{' '}
            <Stale resource={list} /> <Updated at={list.updatedAt} />
          </>
        ) : undefined
      }
      actions={
        <Button onClick={list.reload} hotkey="r">
          {t('refresh')}
        </Button>
      }
    />
  )
}
