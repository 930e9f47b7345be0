// What is below the fold, or seldom there: it comes after the rest, in one file.
export { RecentTraces } from './recent-traces.js'
export { Today } from './today.js'
export { Traffic } from './traffic.js'
export { IssueList } from './issue-list.js'
