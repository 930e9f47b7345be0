/** Prefix of the session keys of jobs. The id of the job follows. */
export const JOB_SESSION = 'job|'
