import { describeEditor } from './editor-typing.js'

describeEditor(150)
