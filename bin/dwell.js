#!/usr/bin/env node
import { runProgram } from './run-program.js';

runProgram(['--max-semi-space-size=16'], ['dwell', ...process.argv.slice(2)]);
