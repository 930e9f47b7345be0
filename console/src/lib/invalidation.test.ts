import { expect } from 'chai'
import { invalidates } from './invalidation.js'

describe('invalidation', () => {
  it('reloads the figures and lists on data-update, and the configuration on config:updated', () => {
    for (const key of ['GET /stats', 'GET /plugins', 'GET /plugins/chat', 'GET /endpoints', 'GET /system/status'])
      expect(invalidates('data-update', key), key).to.equal(true)
    expect(invalidates('data-update', 'GET /logs')).to.equal(false)
    expect(invalidates('config:updated', 'schema:get chat')).to.equal(true)
    expect(invalidates('of a plugin', 'GET /stats')).to.equal(false)
  })
})
