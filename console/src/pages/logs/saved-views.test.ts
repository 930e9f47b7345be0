import { expect } from 'chai'
import { parseViews, viewAddress, withoutView, withView } from './saved-views-model.js'

describe('saved filters', () => {
  it('are an address without a place in the list', () => {
    expect(viewAddress('/logs', '?filter=a&at=5&levels=error')).to.equal('/logs?filter=a&levels=error')
    expect(viewAddress('/introspection/tools', '?page=3')).to.equal('/introspection/tools')
  })

  it('are kept once, the newest first, and at most twelve', () => {
    let views = withView([], { name: 'one', target: '/logs?filter=1' })
    views = withView(views, { name: 'two', target: '/logs?filter=2' })
    views = withView(views, { name: 'again', target: '/logs?filter=1' })
    expect(views.map(({ name }) => name)).to.deep.equal(['again', 'two'])
    expect(withoutView(views, '/logs?filter=2').map(({ name }) => name)).to.deep.equal(['again'])
    for (let index = 0; index < 20; index++) views = withView(views, { name: 'x', target: `/logs?filter=${index}` })
    expect(views).to.have.length(12)
  })

  it('are read without what is no view, or leads out of the console', () => {
    expect(parseViews(null)).to.deep.equal([])
    expect(
      parseViews([
        { name: 'a', target: '/logs' },
        { name: 'b', target: '//evil.example' },
        { name: 'c', target: 'https://evil.example' },
        { name: 7, target: '/logs' },
        null,
      ]),
    ).to.deep.equal([{ name: 'a', target: '/logs' }])
  })
})
