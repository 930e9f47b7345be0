import { useState } from 'preact/hooks'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import type { Query } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Field, Select } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Base, Passage } from './wire.js'

export interface QuestionProps {
  readonly bases: readonly Base[]
  readonly query: Query<{ q: string; in: string; open: string }>
}

/** Asks a question, and shows the passages that the agent would get. */
export function Question({ bases, query }: QuestionProps) {
  const { q, in: base } = query.values
  const [typed, setTyped] = useState(q)
  return (
    <Section title={t('ask')} fact={t('askFact')}>
      <form
        class="row knowledge-ask"
        onSubmit={(event) => {
          event.preventDefault()
          query.set({ q: typed.trim() })
        }}
      >
        <div class="search-field grow">
          <Field
            compact
            type="search"
            label={t('question')}
            placeholder={t('question')}
            value={typed}
            onInput={setTyped}
          />
        </div>
        <Select
          compact
          label={t('in')}
          value={base}
          onChange={(value) => query.set({ in: value }, { replace: true })}
          options={[{ value: '', label: t('all') }, ...bases.map(({ name }) => ({ value: name, label: name }))]}
        />
        <Button type="submit">{t('search')}</Button>
      </form>
      {q === '' ? null : <Answers key={`${base} ${q}`} question={q} base={base} />}
    </Section>
  )
}

function Answers({ question, base }: { readonly question: string; readonly base: string }) {
  const found = useResource<{ readonly found: readonly Passage[] }>(
    `knowledge:search ${base} ${question}`,
    (signal) => call('knowledge:search', { query: question.slice(0, 1_000), ...(base === '' ? {} : { base }) }, signal),
    'knowledge:search',
  )
  return (
    <Loaded resource={found} rows={3}>
      {(data) =>
        data.found.length === 0 ? (
          <p class="muted foot-note">{t('nothing')}</p>
        ) : (
          <ol class="passages">
            {data.found.map((passage, index) => (
              <li key={index}>
                <p>
                  <code>{passage.path}</code>{' '}
                  <span class="muted">
                    {joinFacts(
                      passage.heading,
                      passage.page === undefined ? '' : t('page', { page: passage.page }),
                      passage.base,
                    )}
                  </span>
                </p>
                <blockquote>{passage.text}</blockquote>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}
