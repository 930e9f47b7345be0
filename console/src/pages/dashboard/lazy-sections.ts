export { RecentTraces } from './recent-traces.js'
export { Today } from './today.js'
export { Traffic } from './traffic.js'
export { IssueList } from './issue-list.js'
