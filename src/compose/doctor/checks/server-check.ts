import { z } from 'zod';
import { fine, note, problem } from '../../../cli/finding.ts';
import type { Check } from '../check.ts';

/** The time (ms) that a server on this machine has to answer; it waits for its store for two seconds itself. */
const PATIENCE_MS = 5_000;

const body = z.object({ status: z.enum(['ready', 'not ready']), waitingFor: z.string().optional() });

/** The server of these settings: it runs, and can take requests. */
export const serverCheck: Check = {
  name: 'Server',
  needs: ['server'],
  async run({ config: { host, port }, signal }) {
    if (port === 0) return [note('not checked: PORT is 0, so each start has another port')];
    // Those stand for all addresses of the machine.
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    const address = `http://${name}:${port}`;
    const signals = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(`${address}/readyz`, { signal: signals, redirect: 'manual' }).catch(
      () => null,
    );
    if (response === null) return [note(`not running: nothing answers at ${address}`)];
    const read = body.safeParse(await response.json().catch(() => null));
    if (!read.success)
      return [problem(`another program answers at ${address}.`, 'Set another PORT, or stop that program.')];
    const { status, waitingFor } = read.data;
    if (status === 'ready') return [fine(`running and ready at ${address}`)];
    return [problem(`running at ${address}, and not ready. It waits for ${waitingFor}.`)];
  },
};
