import type { z } from 'zod';
import type { Almanac, Call, OperationId, types } from '../../client/src/index.ts';
import type * as contract from '../../src/contract/index.ts';

// Compiles only if the client has every operation of the contract, with types that agree with its schemas. The types of
// the client come from the OpenAPI document, those of the contract from zod, so an error in either is found.

type Operations = contract.Operations;
type Id = contract.OperationId;

/** Fails to compile unless the type is `never`. */
type None<Remaining extends never> = Remaining;

/** The names of the fields of all members of a union, without the content of a file, which the contract has no schema for. */
type KeysOf<Input> = Input extends unknown ? Exclude<keyof Input, 'content'> : never;

type Fields<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown;
type Part<Op, Name extends string> = Op extends Readonly<Record<Name, infer Schema>> ? Fields<Schema> : unknown;
type ContractInput<Op> = Part<Op, 'params'> & Part<Op, 'query'> & Part<Op, 'body'>;
type ContractData<Op> = Op extends { readonly reply: { readonly data: infer Schema } }
  ? Schema extends z.ZodType
    ? z.input<Schema>
    : never
  : never;

export type MissingOperations = None<Exclude<Id, OperationId>>;
export type SurplusOperations = None<Exclude<OperationId, Id>>;

/** The operations whose input, as the client declares it, the contract would not accept. */
export type RefusedInputs = None<
  { [Op in Id]: types.Inputs[Op] extends ContractInput<Operations[Op]> ? never : Op }[Id]
>;

/** The operations with a field that only one of both has. */
export type OtherFields = None<
  {
    [Op in Id]: types.Inputs[Op] extends types.NoInput
      ? never
      : KeysOf<types.Inputs[Op]> extends KeysOf<ContractInput<Operations[Op]>>
        ? KeysOf<ContractInput<Operations[Op]>> extends KeysOf<types.Inputs[Op]>
          ? never
          : Op
        : Op;
  }[Id]
>;

/** The operations whose data, as the contract declares it, is not what the client declares. Streams have their own type. */
export type OtherData = None<
  {
    [Op in Exclude<Id, 'watchForecast'>]: ContractData<Operations[Op]> extends types.Data[Op]
      ? never
      : Operations[Op] extends { readonly attachment: 'always' }
        ? never
        : Op;
  }[Exclude<Id, 'watchForecast'>]
>;

type Namespaces = Pick<Almanac, Exclude<keyof Almanac, 'call' | 'proof'>>;
type MethodOf<Entry> = Entry extends { readonly namespace: infer Space; readonly name: infer Name }
  ? Space extends keyof Namespaces
    ? Name extends keyof Namespaces[Space]
      ? Namespaces[Space][Name]
      : never
    : never
  : never;
type Entries = typeof import('../../client/src/generated/operations.ts').operations;

/** The operations without a method in their namespace. */
export type MissingMethods = None<
  { [Op in OperationId]: [MethodOf<Entries[Op]>] extends [never] ? Op : never }[OperationId]
>;

/** The methods that do not return what `call` returns for the same operation; those with two formats have two signatures. */
export type OtherResults = None<
  {
    [Op in Exclude<Id, 'watchForecast'>]: Operations[Op] extends { readonly attachment: true }
      ? never
      : MethodOf<Entries[Op]> extends (...input: never[]) => Call<types.Data[Op]>
        ? never
        : Op;
  }[Exclude<Id, 'watchForecast'>]
>;
