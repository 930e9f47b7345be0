// All widths are in pane-widths.matrix.ts.
import { describeWidths } from './pane-widths.js'

describeWidths([320, 390, 768, 880, 1024, 1080, 1440])
