// How sessions of jobs are named.

/** Their keys begin with this; the id of the job follows. */
export const JOB_SESSION = 'job|'
