// The scenarios. Each is explored whole, within its number of faults and of clocks that go wrong. A statement that is
// under way when a process is stopped or killed, or when its connection breaks, is run at any later moment or never.
//
// `ordered`: hosts that are well look in the order of their names, so that there are fewer states where the order of
// looks is not the subject.
const ALL = ['stop', 'crash', 'cut', 'lost']

export const scenarios = {
  'lease, 2 hosts': { ordered: true, faults: 2, kinds: [...ALL, 'look'] },
  'lease, 3 hosts': { hosts: ['a', 'b', 'c'], ordered: true, faults: 2, kinds: ['stop', 'cut'] },
  'clocks that drift': { faults: 1, drifts: 2, kinds: [...ALL, 'look'] },
  'database unavailable': { faults: 2, kinds: ['away', 'stop', 'look'] },
  'machine asleep': { ordered: true, faults: 2, drifts: 1, kinds: ['sleep', 'cut'] },
  'an acceptance': { ordered: true, faults: 1, messages: [{ id: 1, state: 'offered' }], kinds: ALL },
  'a send': { ordered: true, faults: 2, messages: [{ id: 1, state: 'intent' }], kinds: ['stop', 'crash', 'cut'] },
  'a turn with a tool': { ordered: true, faults: 2, messages: [{ id: 1, turn: true }], kinds: ['stop', 'crash'] },
  'two messages, 3 hosts': {
    hosts: ['a', 'b', 'c'],
    ordered: true,
    faults: 1,
    messages: [{ id: 1, turn: true }, { id: 2 }],
    kinds: ALL,
  },
  'a move': { ordered: true, moves: 1, faults: 1, messages: [{ id: 1 }], kinds: ['stop', 'crash', 'lost'] },
  'a moved place': { ordered: true, moves: 2, faults: 1, kinds: ALL },
  'two places': { places: { p: [], q: [] }, ordered: true, faults: 2, kinds: ALL },
  'one identity twice': { copies: ['a'], faults: 1, kinds: ['crash', 'stop'] },
  'a failover that forgets': {
    ordered: true,
    faults: 1,
    messages: [{ id: 1 }],
    stream: true,
    kinds: ['failover', 'stop', 'cut'],
  },
}
