import { cleanText, malformed } from '../../../platform/index.ts';
import { parseXml, XmlError, type XmlHandler } from './parse-xml.ts';

/** The content of a structure message of SDMX-ML 2.1, as far as it describes data. */
export interface StructureMessage {
  /** Without those whose id is not valid. */
  readonly flows: readonly DataFlow[];
  readonly structures: readonly DataStructure[];
  /** The codes by the key of their code list. */
  readonly codeLists: ReadonlyMap<string, readonly Code[]>;
  readonly concepts: ReadonlyMap<string, Concept>;
}

/** The name of something that an agency maintains, such as a data structure. */
export interface Maintained {
  readonly agency: string;
  readonly id: string;
  readonly version: string;
}

/** A data set. */
export interface DataFlow extends Maintained {
  readonly label: string;
  /** Null if the message does not state a valid one. */
  readonly structure: Maintained | null;
}

export interface DataStructure extends Maintained {
  /** Without the time dimension, in the order in which a key of the data has them. */
  readonly dimensions: readonly StructureDimension[];
  /** The ids of the attributes. */
  readonly attributes: ReadonlySet<string>;
}

export interface StructureDimension {
  readonly id: string;
  /** The key of its concept; null if it is not stated. */
  readonly concept: string | null;
  /** The key of its code list; null if the dimension itself has none. */
  readonly codeList: string | null;
}

export interface Code {
  readonly value: string;
  readonly label: string;
}

export interface Concept {
  readonly label: string;
  /** The key of the code list of dimensions that have none of their own. */
  readonly codeList: string | null;
}

/** Several times the length of the longest names, which list countries. Longer ones are cut. */
const MAX_NAME_LENGTH = 2_000;

/** An element whose end was not read yet. */
interface Frame {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  label: string | null;
  isEnglish: boolean;
  reference: Readonly<Record<string, string>> | null;
  concept: string | null;
  codeList: string | null;
}

/**
 * Reads a structure message in steps, and lets other work run between them. Names are English if the message has English
 * ones. Throws a `ProviderError` with the fault MALFORMED if the bytes are not a structure message.
 */
export async function readStructures(provider: string, bytes: Uint8Array): Promise<StructureMessage> {
  const reader = new StructureReader(provider);
  try {
    await parseXml(bytes, reader);
  } catch (error) {
    if (error instanceof XmlError) throw malformed(provider, 'not an XML document');
    throw error;
  }
  return reader;
}

class StructureReader implements XmlHandler, StructureMessage {
  readonly flows: DataFlow[] = [];
  readonly structures: DataStructure[] = [];
  readonly codeLists = new Map<string, readonly Code[]>();
  readonly concepts = new Map<string, Concept>();
  readonly #provider: string;
  readonly #frames: Frame[] = [];
  #text = '';
  /** The parts of the code list or data structure that is open. Neither contains another one. */
  #codes: Code[] = [];
  #dimensions: (StructureDimension & { readonly position: string | undefined })[] = [];
  #attributes = new Set<string>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#frames.length === 0 && name !== 'Structure') throw malformed(this.#provider, 'not a structure message');
    if (name === 'Name') this.#text = '';
    if (name === 'Codelist') this.#codes = [];
    if (name === 'DataStructure') {
      this.#dimensions = [];
      this.#attributes = new Set();
    }
    this.#frames.push({
      name,
      attributes,
      label: null,
      isEnglish: false,
      reference: null,
      concept: null,
      codeList: null,
    });
  }

  text(text: string): void {
    if (this.#frames.at(-1)?.name === 'Name') this.#text += text;
  }

  close(): void {
    const frame = this.#frames.pop();
    const parent = this.#frames.at(-1);
    if (frame === undefined || parent === undefined) return;
    const { name, attributes } = frame;
    if (name === 'Name') this.#closeName(frame, parent);
    else if (name === 'Code' && parent.name === 'Codelist') {
      const value = this.#id(attributes);
      this.#codes.push({ value, label: frame.label ?? value });
    } else if (name === 'Codelist') this.#store(this.codeLists, keyOf(attributes), this.#codes);
    else if (name === 'Concept' && parent.name === 'ConceptScheme') {
      const id = this.#id(attributes);
      const concept = { label: frame.label ?? id, codeList: frame.codeList };
      this.#store(this.concepts, `${keyOf(parent.attributes)}.${id}`, concept);
    } else if (name === 'Ref') parent.reference = attributes;
    else if (name === 'Enumeration') parent.reference = frame.reference;
    else if (name === 'LocalRepresentation' || name === 'CoreRepresentation') {
      parent.codeList = frame.reference === null ? null : keyOf(frame.reference);
    } else if (name === 'ConceptIdentity')
      parent.concept = frame.reference === null ? null : conceptOf(frame.reference);
    else if (name === 'Structure') parent.reference = frame.reference;
    else this.#closePart(frame, parent);
  }

  #closePart({ name, attributes, label, reference, concept, codeList }: Frame, parent: Frame): void {
    // A reference to a dimension or a data flow has the same element name elsewhere.
    if (parent.name === 'DimensionList' && (name === 'Dimension' || name === 'MeasureDimension')) {
      this.#dimensions.push({ id: this.#id(attributes), concept, codeList, position: attributes.position });
    } else if (parent.name === 'AttributeList' && name === 'Attribute') this.#attributes.add(this.#id(attributes));
    else if (parent.name === 'DataStructures' && name === 'DataStructure') {
      const structure = readMaintained(attributes);
      if (structure === null) throw malformed(this.#provider, 'the name of a structure');
      const dimensions = this.#inOrder(this.#dimensions);
      this.structures.push({ ...structure, dimensions, attributes: this.#attributes });
    } else if (parent.name === 'Dataflows' && name === 'Dataflow') {
      const flow = readMaintained(attributes);
      // One flow with an invalid id must not hide all others.
      if (flow === null) return;
      const structure = reference === null ? null : readMaintained(reference);
      this.flows.push({ ...flow, label: label ?? flow.id, structure });
    }
  }

  /** Keeps the first English name of an element, or else its first name. A name without a language is English. */
  #closeName({ attributes }: Frame, parent: Frame): void {
    const label = cleanText(this.#text, MAX_NAME_LENGTH);
    const isEnglish = /^en\b/i.test(attributes['xml:lang'] ?? 'en');
    if (label === '' || (parent.label !== null && (parent.isEnglish || !isEnglish))) return;
    parent.label = label;
    parent.isEnglish = isEnglish;
  }

  #inOrder(
    dimensions: readonly (StructureDimension & { readonly position: string | undefined })[],
  ): StructureDimension[] {
    const ids = new Set(dimensions.map(({ id }) => id));
    const positions = new Set(dimensions.map(({ position }, index) => Number(position ?? index)));
    const isValid = ids.size === dimensions.length && positions.size === dimensions.length;
    if (!isValid || positions.has(Number.NaN)) throw malformed(this.#provider, 'dimensions');
    const order = dimensions.map((dimension, index) => ({ dimension, at: Number(dimension.position ?? index) }));
    return order
      .sort((a, b) => a.at - b.at)
      .map(({ dimension: { id, concept, codeList } }) => ({ id, concept, codeList }));
  }

  #id({ id }: Readonly<Record<string, string>>): string {
    if (id === undefined || !SDMX_ID.test(id)) throw malformed(this.#provider, 'an id');
    return id;
  }

  #store<Value>(map: Map<string, Value>, key: string, value: Value): void {
    if (map.has(key)) throw malformed(this.#provider, 'two structures with one name');
    map.set(key, value);
  }
}

const AGENCY = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)*$/;
const VERSION = /^\d+(?:\.\d+)*$/;
/** The form of the ids of SDMX. */
export const SDMX_ID = /^[A-Za-z0-9_@$-]{1,128}$/;

/** Returns the name that attributes state; null if it is not valid. It becomes a part of an address. */
function readMaintained(attributes: Readonly<Record<string, string>>): Maintained | null {
  const { agencyID: agency = '', id = '', version = '1.0' } = attributes;
  return AGENCY.test(agency) && SDMX_ID.test(id) && VERSION.test(version) ? { agency, id, version } : null;
}

function keyOf({ agencyID = '', id = '', version = '1.0' }: Readonly<Record<string, string>>): string {
  return `${agencyID}:${id}(${version})`;
}

function conceptOf(reference: Readonly<Record<string, string>>): string {
  const { agencyID = '', maintainableParentID = '', maintainableParentVersion = '1.0', id = '' } = reference;
  return `${agencyID}:${maintainableParentID}(${maintainableParentVersion}).${id}`;
}
