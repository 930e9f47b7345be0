/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.agent.maxSubagentIterations': '子智能体工具调用的最多轮数',
  'ai.agent.subagentTurnWaitMs': '一个回合等待其子智能体的时间，毫秒；0 表示不等待',
  'ai.agent.subagentTools': '子智能体可用的更多工具的名称',
  'ai.agent.workerBaseTools': '每个子智能体都有的工具的名称',
}
