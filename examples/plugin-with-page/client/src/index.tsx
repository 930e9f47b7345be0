// The console page: greets by RPC, lists by REST, both typed by the plugin's contract.
import type { HostApi, Register } from '@mynah/console/entry'
import { Button, EmptyState, Field, Notice, PageHead, Panel, Table } from '@mynah/console/ui'
import { useCallback, useEffect, useState, type FormEvent } from 'react'
import type { greeter } from '../../dist/contract.js'

const texts = {
  greeter: { en: 'Greeter', 'zh-CN': '问候' },
  name: { en: 'Name', 'zh-CN': '名字' },
  greet: { en: 'Greet', 'zh-CN': '问候' },
  greeted: { en: 'Greeted', 'zh-CN': '已问候' },
  times: { en: 'Times', 'zh-CN': '次数' },
  nobody: { en: 'No greetings yet', 'zh-CN': '还没有问候过任何人' },
  failed: { en: 'The host refused', 'zh-CN': '主机拒绝了请求' },
} as const

function Page({ host }: { readonly host: HostApi }) {
  const [client] = useState(() => host.client.with<typeof greeter>())
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [greeted, setGreeted] = useState<readonly { readonly name: string; readonly times: number }[]>([])

  const fail = (failure: unknown): void => setError(failure instanceof Error ? failure.message : String(failure))
  const load = useCallback(() => client.rest('GET /greeter').then(setGreeted, fail), [client])
  useEffect(() => {
    void load()
  }, [load])

  const greet = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      host.toast((await client.rpc('greeter:greet', { name })).text, 'ok')
      setName('')
      await load()
    } catch (failure) {
      fail(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <PageHead title={host.t(texts.greeter)} />
      {error ? (
        <Notice tone="err" title={host.t(texts.failed)}>
          {error}
        </Notice>
      ) : null}
      <Panel title={host.t(texts.greet)}>
        <form className="row" onSubmit={(event) => void greet(event)}>
          <Field
            compact
            label={host.t(texts.name)}
            placeholder={host.t(texts.name)}
            value={name}
            onInput={setName}
            required
          />
          <Button kind="primary" type="submit" busy={busy}>
            {host.t(texts.greet)}
          </Button>
        </form>
      </Panel>
      <Panel title={host.t(texts.greeted)} flush>
        {greeted.length === 0 ? (
          <EmptyState title={host.t(texts.nobody)} />
        ) : (
          <Table
            caption={host.t(texts.greeted)}
            rows={greeted}
            rowKey={(row) => row.name}
            columns={[
              { id: 'name', head: host.t(texts.name), rowHeader: true, cell: (row) => row.name },
              { id: 'times', head: host.t(texts.times), numeric: true, cell: (row) => row.times },
            ]}
          />
        )}
      </Panel>
    </>
  )
}

export const register: Register = (host) => {
  host.addRoute({
    path: '/greeter',
    name: host.t(texts.greeter),
    element: () => <Page host={host} />,
    meta: { group: 'extensions' },
  })
}
