import { z } from 'zod';

type Parameters = Readonly<Record<string, string>>;

/** A question to a server: what it is called, where it is asked, and its parameters. */
export type Request = readonly [title: string, path: string, parameters: Parameters];

/** Asks once. `text` is how the answer begins, `cpuMs` for who knows it. */
export async function askServer(url: string, token: string, [, path, parameters]: Request) {
  const began = performance.now();
  const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`, {
    headers: { Authorization: `TISJWT ${token}` },
  });
  let bytes = 0;
  let text = '';
  if (response.body !== null) {
    for await (const chunk of response.body) {
      if (bytes === 0)
        text = z
          .instanceof(Uint8Array)
          .transform((some) => Buffer.from(some).toString('utf8', 0, 300))
          .parse(chunk);
      bytes += chunk.length;
    }
  }
  return { status: response.status, bytes, text, ms: performance.now() - began, cpuMs: null };
}
