import { expect } from 'chai'
import { composerAction, type ComposerState } from './composer-keys.js'

const press = (key: string, more: object = {}) => ({
  key,
  keyCode: 0,
  isComposing: false,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
})
const action = (key: string, more: object = {}, state: Partial<ComposerState> = {}) =>
  composerAction(press(key, more), {
    json: false,
    text: '',
    recalled: 0,
    canRecall: true,
    quoting: false,
    ...state,
  })

describe('composerAction', () => {
  it('sends text on Enter and breaks the line on Shift+Enter', () => {
    expect(action('Enter')).to.equal('send')
    expect(action('Enter', { shiftKey: true })).to.equal(undefined)
    expect(action('Enter', { altKey: true })).to.equal(undefined)
  })

  it('sends JSON on Ctrl+Enter only', () => {
    expect(action('Enter', {}, { json: true })).to.equal(undefined)
    expect(action('Enter', { ctrlKey: true }, { json: true })).to.equal('send')
    expect(action('Enter', { metaKey: true }, { json: true })).to.equal('send')
  })

  it('leaves Enter to the input method while a word is composed', () => {
    expect(action('Enter', { isComposing: true })).to.equal(undefined)
    expect(action('Enter', { keyCode: 229 })).to.equal(undefined)
  })

  it('recalls messages while nothing was typed', () => {
    expect(action('ArrowUp')).to.equal('recall-older')
    expect(action('ArrowUp', {}, { text: 'sent', recalled: 1 })).to.equal('recall-older')
    expect(action('ArrowUp', {}, { text: 'typed' })).to.equal(undefined)
    expect(action('ArrowUp', {}, { canRecall: false })).to.equal(undefined)
    expect(action('ArrowUp', { shiftKey: true })).to.equal(undefined)
    expect(action('ArrowDown', {}, { recalled: 1 })).to.equal('recall-newer')
    expect(action('ArrowDown')).to.equal(undefined)
  })

  it('drops the quote on Escape before it clears a recalled message', () => {
    expect(action('Escape', {}, { quoting: true, recalled: 1 })).to.equal('drop-quote')
    expect(action('Escape', {}, { recalled: 1 })).to.equal('clear')
    expect(action('Escape')).to.equal(undefined)
  })
})
