// Plain JavaScript, for any Node may load it: the program itself needs Node 24, which comes as a package.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WANTED = 24;

/** Where package.json is. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this Node can run the program. */
export const isNew = Number.parseInt(process.versions.node, 10) >= WANTED;

/** The Node in node_modules; null where it was left out. */
export function packagedNode() {
  const { platform, arch } = process;
  const family = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${family}-${platform === 'win32' ? 'win' : platform}-${arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const node = join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

/** Prints which Node is needed, and has the process end with exit code 1. */
export function failWithoutNode() {
  console.error(
    `Dwell needs Node ${WANTED}, and this is ${process.version}. Try: npm install in ${root}, which brings it, or install Node ${WANTED}.`,
  );
  process.exitCode = 1;
}
