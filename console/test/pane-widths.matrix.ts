// The long form of the test of widths.
import { describeWidths } from './pane-widths.js'

describeWidths(Array.from({ length: 33 }, (_, step) => 320 + 40 * step))
