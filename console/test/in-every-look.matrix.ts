// Every page in every state, theme, width and language: `npm run test:console`. `npm run test:pages` has each state in
// one look.
import { Stage, states, titleOf, type Look } from './looks.js'

const themes = ['light', 'dark'] as const
const widths = [1440, 1024, 768, 390, 320] as const
const looks: readonly Look[] = states.flatMap((state) =>
  themes.flatMap((colorScheme) =>
    widths.flatMap((width): Look[] => [
      { state, width, colorScheme },
      { state, width, colorScheme, locale: 'zh-CN' },
    ]),
  ),
)

describe('every page in every look', function () {
  this.timeout(180_000)
  const stage = new Stage()

  for (const look of looks) it(`is accessible and fits: ${titleOf(look)}`, () => stage.inspectPages(look))
  for (const colorScheme of themes)
    for (const width of widths)
      it(`is accessible over pages and at login: ${colorScheme}, ${width} px`, () =>
        stage.inspectOverlays({ width, colorScheme }))
})
