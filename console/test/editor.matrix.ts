// The long form of the editor's test.
import { describeEditor } from './editor-typing.js'

describeEditor(1000)
