// What is below the fold, or seldom there: it comes after the rest, in one file.
export { Last } from './last.js'
export { Today } from './today.js'
export { Traffic } from './traffic.js'
export { WrongList } from './wrong.js'
