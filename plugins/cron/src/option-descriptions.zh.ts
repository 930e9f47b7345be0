/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'cron.concurrency': '可同时进行的运行数：分别计算智能体、每个处理程序以及对每个账号的投递；等待人的运行不计入',
  'cron.runTimeout':
    '一次尝试运行任务可用的秒数，不含等待人的时间；0 表示不限。动作可以有自己的时限。超时的运行失败，并通知所有者',
  'cron.timezone': '未写明时区的时间表所用的时区，例如 `Europe/Berlin`；默认为主机的时区',
}
