import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a script of package.json; resolves to its exit code and all that it printed. */
async function script(name: string) {
  // The compiler collects its garbage less often: that is a third of its time.
  const child = spawn('npm', ['run', '--silent', name], { cwd: root, env: { ...process.env, GOGC: '400' } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (part: string) => {
      text += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code, text };
}

// As tests they run beside all others, and `npm test` is one command with one total.
test.each(['types', 'lint'])('npm run %s finds nothing', async (name) => {
  const { code, text } = await script(name);
  expect(code === 0 ? '' : text).toBe('');
});
