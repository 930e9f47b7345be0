import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { isWireError } from '@mynah/contract'
import type { Logger } from '@mynah/kernel'
import { openStore } from '@mynah/plugin-database/testing'
import { Requests, type Approval } from './approval.js'
import {
  DatabaseApprovalStore,
  HostApprovalStore,
  MemoryApprovalStore,
  openApprovalFile,
  type ApprovalStore,
} from './approval-store.js'

interface Opened {
  readonly store: ApprovalStore
  close(): Promise<void>
}

function approval(id: string, over: Partial<Approval> = {}): Approval {
  return {
    id,
    kind: 'bash',
    title: `title of ${id}`,
    command: `make ${id}`,
    adapter: 'sandbox',
    endpointId: 'bot',
    channel: 'private:ann',
    userId: 'ann',
    subagent: false,
    folder: '/srv/bot/workspace',
    place: '1:2',
    adds: ['host:example.com'],
    reason: 'make is not listed',
    suggestion: null,
    parts: [{ text: `make ${id}`, verdict: 'ask', rule: 'not-covered', reason: 'make is not listed' }],
    status: 'pending',
    answeredBy: null,
    createdAt: 1000,
    expiresAt: 2000,
    ...over,
  }
}

const silent = { error: () => {} } as unknown as Logger

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  MemoryApprovalStore: async () => ({ store: new MemoryApprovalStore(), close: async () => {} }),
  openApprovalFile: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-approvals-'))
    return {
      store: await openApprovalFile(join(folder, 'approvals.json'), silent, 1000),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
  'DatabaseApprovalStore on SQLite': async () => {
    const { store, close } = await openStore('sqlite')
    await store.contribute([Requests])
    return { store: new DatabaseApprovalStore(store), close }
  },
}

for (const [name, open] of Object.entries(STORES)) {
  describe(name, () => {
    let store: ApprovalStore
    let close: () => Promise<void>

    beforeEach(async () => ({ store, close } = await open()))
    afterEach(() => close())

    it('returns an approval as it was added', async () => {
      await store.add(approval('a'))
      expect(await store.get('a')).to.deep.equal(approval('a'))
    })

    it('returns undefined for an unknown id', async () => {
      expect(await store.get('a')).to.equal(undefined)
    })

    it('lists pending and approved requests as live, oldest first', async () => {
      await store.add(approval('a', { createdAt: 1 }))
      await store.add(approval('b', { createdAt: 2, status: 'denied' }))
      await store.add(approval('c', { createdAt: 3, status: 'approved' }))
      await store.add(approval('d', { createdAt: 4 }))
      expect((await store.live()).map(({ id }) => id)).to.deep.equal(['a', 'c', 'd'])
    })

    it('changes a request in the expected status', async () => {
      await store.add(approval('a'))
      expect(await store.change('a', 'pending', { status: 'approved', answeredBy: 'owner:ann' })).to.equal(true)
      expect(await store.get('a')).to.deep.equal(approval('a', { status: 'approved', answeredBy: 'owner:ann' }))
    })

    it('does not change a request in another status', async () => {
      await store.add(approval('a', { status: 'denied' }))
      expect(await store.change('a', 'pending', { status: 'approved' })).to.equal(false)
      expect((await store.get('a'))?.status).to.equal('denied')
    })

    it('does not change an unknown request', async () => {
      expect(await store.change('a', 'pending', { status: 'approved' })).to.equal(false)
    })

    it('changes a request once when two changes race', async () => {
      await store.add(approval('a'))
      const changes = [1, 2].map(() => store.change('a', 'pending', { status: 'approved' }))
      expect((await Promise.all(changes)).filter(Boolean)).to.have.length(1)
    })

    it('lists the last requests, newest first', async () => {
      for (const [at, id] of ['a', 'b', 'c'].entries()) await store.add(approval(id, { createdAt: at }))
      expect((await store.list(2)).map(({ id }) => id)).to.deep.equal(['c', 'b'])
    })

    it('lists requests older than one of them', async () => {
      for (const [at, id] of ['a', 'b', 'c'].entries()) await store.add(approval(id, { createdAt: at }))
      expect((await store.list(5, 'c')).map(({ id }) => id)).to.deep.equal(['b', 'a'])
    })

    it('lists from the newest where the request to start at is unknown', async () => {
      await store.add(approval('a'))
      expect((await store.list(5, 'x')).map(({ id }) => id)).to.deep.equal(['a'])
    })

    it('deletes requests that were made before a time', async () => {
      for (const [at, id] of ['a', 'b', 'c'].entries()) await store.add(approval(id, { createdAt: at }))
      await store.prune(1)
      expect((await store.list(5)).map(({ id }) => id)).to.deep.equal(['c', 'b'])
    })
  })
}

describe('openApprovalFile', () => {
  it('keeps requests for the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-approvals-'))
    try {
      const path = join(folder, 'approvals.json')
      await (await openApprovalFile(path, silent, 1)).add(approval('a'))
      expect(await (await openApprovalFile(path, silent, 2)).get('a')).to.deep.equal(approval('a'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('HostApprovalStore', () => {
  it('uses the other store where no database is declared', async () => {
    const store = new HostApprovalStore({ current: undefined }, new MemoryApprovalStore([approval('a')]))
    expect(await store.get('a')).to.deep.equal(approval('a'))
  })

  it('rejects with not_ready while the database is unavailable', async () => {
    const store = new HostApprovalStore({ current: undefined }, undefined)
    const error: unknown = await store.get('a').then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(isWireError(error) && error.code).to.equal('not_ready')
  })
})
