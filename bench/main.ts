import { benchEngine } from './engine.ts';
import { benchExports } from './export.ts';

/** `npm run bench` times the engine, `npm run bench -- export` the files. */
const [what = ''] = process.argv.slice(2);
await (what === 'export' ? benchExports() : benchEngine());
