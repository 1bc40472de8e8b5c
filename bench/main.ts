import { benchCommands } from './commands.ts';
import { benchDelegations } from './delegations.ts';
import { benchEngine } from './engine.ts';
import { benchExports } from './export.ts';
import { benchHouse } from './house.ts';
import { benchMemory } from './memory.ts';
import { benchReadBack } from './read-back.ts';
import { benchSync } from './sync.ts';
import { benchTurns } from './turns.ts';

/** `npm run bench` times the engine, `-- export` the files, `-- delegations` a large register, `-- commands` Slack, `-- house` how large the source is and what a start and a question execute, `-- memory` what many issues cost, `-- turns` how long a request keeps others waiting; `-- read-back` lets other programs read the files. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  '': benchEngine,
  export: benchExports,
  delegations: benchDelegations,
  commands: benchCommands,
  house: benchHouse,
  memory: benchMemory,
  'read-back': benchReadBack,
  sync: benchSync,
  turns: benchTurns,
};
const [what = ''] = process.argv.slice(2);
await (benches[what] ?? benchEngine)();
