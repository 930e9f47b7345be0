// All looks are in in-every-look.matrix.ts.
import { Stage, titleOf, type Look } from './looks.js'

const looks: readonly Look[] = [
  { state: 'data', width: 1280, colorScheme: 'light' },
  { state: 'data', width: 768, colorScheme: 'dark' },
  { state: 'empty', width: 320, colorScheme: 'light', locale: 'zh-CN' },
  { state: 'error', width: 1280, colorScheme: 'dark' },
  { state: '503', width: 390, colorScheme: 'light' },
  { state: 'loading', width: 390, colorScheme: 'dark' },
]

describe('each page', function () {
  this.timeout(240_000)
  const stage = new Stage()

  for (const look of looks) it(`is accessible and fits: ${titleOf(look)}`, () => stage.inspectPages(look))

  it('is accessible under each dialog, as is the login page', () =>
    stage.inspectOverlays({ width: 390, colorScheme: 'dark' }))
})
