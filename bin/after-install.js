// Runs after `npm install` and `npm ci`. npm 10 links no command that packages of several platforms have, and every script
// is to find the Node of this project first. ECharts brings 51 MB of builds for browsers, which nothing here loads.
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packagedNode, root } from './needed-node.js';

rmSync(join(root, 'node_modules/echarts/dist'), { recursive: true, force: true });

const node = packagedNode();
const commands = join(root, 'node_modules', '.bin');
const isWindows = process.platform === 'win32';
const command = join(commands, isWindows ? 'node.cmd' : 'node');
if (node !== null && !existsSync(command)) {
  mkdirSync(commands, { recursive: true });
  rmSync(command, { force: true });
  if (isWindows) writeFileSync(command, `@"${node}" %*\r\n`);
  else symlinkSync(relative(commands, node), command);
}
