import type { z } from 'zod';
import { readJson } from '../../http-client/read-json.ts';
import { readShape } from '../../http-client/read-shape.ts';
import type { AppError } from '../../model/error.ts';
import type { Access } from './access.ts';
import { afterwards, type Circumstances, unavailable } from './why-refused.ts';

/** A successful answer in the shape it should have; what stands there instead is told, up to the first difference. */
export function readAnswer<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
  access: Access,
  beside: Circumstances,
): z.output<Shape> {
  const json = readJson(text);
  if (json === undefined) {
    throw failure(`answered with something else than JSON; is ${access.addressSetting} right?`);
  }
  const read = readShape(json, shape, access.hide);
  if (read.kind === 'read') return read.value;
  throw failure(`answered in an unknown shape: ${read.what}.`);

  function failure(what: string): AppError {
    return unavailable(what + afterwards(beside, access), access);
  }
}
