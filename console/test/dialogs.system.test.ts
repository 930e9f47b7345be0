// All looks are in dialogs.matrix.ts.
import { describeDialogs } from './dialogs.js'

describeDialogs([
  { width: 768, colorScheme: 'light', locale: 'en-GB' },
  { width: 390, colorScheme: 'dark', locale: 'zh-CN' },
])
