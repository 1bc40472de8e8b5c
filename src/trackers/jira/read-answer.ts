import type { z } from 'zod';
import { readShape } from '../../http-client/read-shape.ts';
import { type About, unavailable } from './why-not-answered.ts';

/** An answer in the shape it should have; what stands there instead is told, up to the first difference. */
export function readAnswer<Shape extends z.ZodType>(
  json: unknown,
  shape: Shape,
  { asked, pass }: Pick<About, 'asked' | 'pass'>,
): z.output<Shape> {
  const read = readShape(json, shape, pass.hide);
  if (read.kind === 'read') return read.value;
  throw unavailable(`answered ${asked} in an unknown shape: ${read.what}.`, pass);
}
