import {
  changesByField,
  contentByField,
  type HasChangesByField,
  type HasContentByField,
} from '../../issues/issue-fields.ts';
import type { Change, FieldContent, FieldValue, History, Instant, Issue } from '../../model/issue.ts';
import { has } from './pack-issue.ts';
import type { PackedBytes } from './packed-bytes.ts';
import type { IssueUnpacker, PackedHead, PackedTail } from './unpack-issue.ts';

/**
 * An issue that is unpacked when it is looked at. Its members are its own and can be listed, copied and compared like
 * those of any issue; none is stored with it.
 */
export class PackedIssue implements Issue, HasChangesByField, HasContentByField {
  declare readonly id?: string;
  declare readonly key: string;
  declare readonly project: FieldValue;
  declare readonly summary: string;
  declare readonly created: Instant;
  declare readonly updated: Instant;
  declare readonly resolved: Instant | null;
  declare readonly status: FieldValue;
  declare readonly assignee: FieldValue | null;
  declare readonly fields: Readonly<Record<string, FieldContent>>;
  declare readonly changes: readonly Change[];
  declare readonly history: History;
  declare readonly link?: string;

  #segment: IssueSegment;
  #at: number;

  constructor(segment: IssueSegment, at: number) {
    this.#segment = segment;
    this.#at = at;
    const parts = segment.unpacker.partsOf(segment, at);
    Object.defineProperties(this, membersOf[parts & (has.id | has.link)] ?? {});
  }

  /** How many bytes it takes. */
  sizeOf(): number {
    return this.#segment.unpacker.sizeOf(this.#segment, this.#at);
  }

  segmentOf(): IssueSegment {
    return this.#segment;
  }

  /** The bytes it is packed in. */
  bytesOf(): Uint8Array {
    return this.#segment.bytes.subarray(this.#at, this.#at + this.sizeOf());
  }

  /** The same bytes lie there from now on. */
  moveTo(segment: IssueSegment, at: number): void {
    this.#segment = segment;
    this.#at = at;
  }

  [changesByField](field: string): readonly Change[] {
    const changes = this.#segment.decoded.peek(this, this.#at)?.changes ?? null;
    if (changes !== null) return changes.filter((change) => change.field === field);
    return this.#segment.unpacker.changesOf(this.#segment, this.#at, field);
  }

  [contentByField](field: string): FieldContent | undefined {
    const fields = this.#segment.decoded.peek(this, this.#at)?.fields ?? null;
    if (fields !== null) return Object.hasOwn(fields, field) ? fields[field] : undefined;
    return this.#segment.unpacker.contentOf(this.#segment, this.#at, field);
  }

  keyText(): string {
    return this.#segment.unpacker.keyOf(this.#segment, this.#at);
  }

  createdAt(): Instant {
    return this.#segment.unpacker.createdOf(this.#segment, this.#at);
  }

  updatedAt(): Instant {
    return this.#segment.unpacker.updatedOf(this.#segment, this.#at);
  }

  head(): PackedHead {
    const decoded = this.decoded();
    decoded.head ??= this.#segment.unpacker.headOf(this.#segment, this.#at);
    return decoded.head;
  }

  tail(): PackedTail {
    return this.#segment.unpacker.tailOf(this.#segment, this.#at);
  }

  allFields(): Issue['fields'] {
    const decoded = this.decoded();
    decoded.fields ??= this.#segment.unpacker.fieldsOf(this.#segment, this.#at);
    return decoded.fields;
  }

  allChanges(): readonly Change[] {
    const decoded = this.decoded();
    decoded.changes ??= this.#segment.unpacker.changesOf(this.#segment, this.#at, null);
    return decoded.changes;
  }

  private decoded(): DecodedIssue {
    return this.#segment.decoded.of(this, this.#at);
  }
}

function member(get: (issue: PackedIssue) => unknown): PropertyDescriptor & ThisType<PackedIssue> {
  return {
    enumerable: true,
    configurable: true,
    get() {
      return get(this);
    },
  };
}

const always = {
  key: member((issue) => issue.keyText()),
  project: member((issue) => issue.head().project),
  summary: member((issue) => issue.tail().summary),
  created: member((issue) => issue.createdAt()),
  updated: member((issue) => issue.updatedAt()),
  resolved: member((issue) => issue.head().resolved),
  status: member((issue) => issue.head().status),
  assignee: member((issue) => issue.head().assignee),
  fields: member((issue) => issue.allFields()),
  changes: member((issue) => issue.allChanges()),
  history: member((issue) => issue.head().history),
};
const id = member((issue) => issue.tail().id);
const link = member((issue) => issue.tail().link);

/** By which optional parts there are: what is absent is no member. */
const membersOf: Readonly<Record<number, PropertyDescriptorMap>> = {
  0: always,
  [has.id]: { id, ...always },
  [has.link]: { ...always, link },
  [has.id | has.link]: { id, ...always, link },
};

/** Issues packed one behind the other. What no issue leads to any more goes with the last one that leads here. */
export interface IssueSegment extends PackedBytes {
  readonly unpacker: IssueUnpacker;
  readonly decoded: DecodedIssues;
  used: number;
  /** Bytes of issues that were replaced or removed. */
  garbage: number;
}

/** What was unpacked of an issue last. */
interface DecodedIssue {
  readonly issue: Issue;
  head: PackedHead | null;
  fields: Issue['fields'] | null;
  changes: readonly Change[] | null;
}

/** Of the last some hundred issues looked at. */
interface DecodedIssues {
  /** Null where nothing of it was unpacked lately. */
  peek(issue: Issue, place: number): DecodedIssue | null;
  of(issue: Issue, place: number): DecodedIssue;
}

const SLOTS = 512;

export function rememberDecoded(): DecodedIssues {
  const slots: (DecodedIssue | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  return {
    peek(issue, place) {
      const known = slots[place % SLOTS];
      return known?.issue === issue ? known : null;
    },
    of(issue, place) {
      const known = slots[place % SLOTS];
      if (known?.issue === issue) return known;
      const fresh: DecodedIssue = { issue, head: null, fields: null, changes: null };
      slots[place % SLOTS] = fresh;
      return fresh;
    },
  };
}
