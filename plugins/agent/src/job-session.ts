/** Prefix of the session keys of jobs. The id of the job follows. */
export const JOB_SESSION = 'job|'
/** Prefix of the session keys of sub-agents. The id of the task follows. */
export const TASK_SESSION = 'task|'
