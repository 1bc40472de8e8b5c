// What `npm start` runs.
import { runProgram } from './run-program.js';

runProgram(['--max-semi-space-size=16', '--v8-pool-size=0'], process.argv.slice(2));
