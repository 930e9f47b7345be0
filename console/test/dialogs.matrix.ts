// The long form of the test of dialogs.
import { describeDialogs } from './dialogs.js'

describeDialogs(
  [390, 768, 1024, 1440].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      ['en-GB', 'zh-CN'].map((locale) => ({ width, colorScheme, locale })),
    ),
  ),
)
