// The names of the numbers that cross the ABI.
#include "bmo.h"

const char *bmo_status_name(bmo_status status) {
    switch (status) {
    case BMO_OK: return "BMO_OK";
    case BMO_EINVAL: return "BMO_EINVAL";
    case BMO_ENOMEM: return "BMO_ENOMEM";
    case BMO_EIO: return "BMO_EIO";
    case BMO_EFORMAT: return "BMO_EFORMAT";
    case BMO_EVERSION: return "BMO_EVERSION";
    case BMO_EUNSUPPORTED: return "BMO_EUNSUPPORTED";
    case BMO_ENONFINITE: return "BMO_ENONFINITE";
    case BMO_EOVERFLOW: return "BMO_EOVERFLOW";
    case BMO_ECANCELED: return "BMO_ECANCELED";
    case BMO_ECALLBACK: return "BMO_ECALLBACK";
    case BMO_EINTERNAL: return "BMO_EINTERNAL";
    default: return "unknown status";
    }
}

const char *bmo_dtype_name(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F32: return "float32";
    case BMO_F64: return "float64";
    case BMO_U8: return "uint8";
    case BMO_I32: return "int32";
    case BMO_I64: return "int64";
    case BMO_I8: return "int8";
    case BMO_I16: return "int16";
    case BMO_U16: return "uint16";
    case BMO_U32: return "uint32";
    case BMO_F16: return "float16";
    case BMO_BF16: return "bfloat16";
    default: return "unknown type";
    }
}

const char *bmo_phase_name(bmo_phase phase) {
    switch (phase) {
    case BMO_PHASE_READ: return "read";
    case BMO_PHASE_CHECK: return "check";
    case BMO_PHASE_PREPARE: return "prepare";
    case BMO_PHASE_SEARCH: return "search";
    case BMO_PHASE_WRITE: return "write";
    default: return "unknown phase";
    }
}

const char *bmo_guarantee_name(bmo_guarantee guarantee) {
    switch (guarantee) {
    case BMO_GUARANTEE_NONE: return "none";
    case BMO_GUARANTEE_HEURISTIC: return "heuristic";
    case BMO_GUARANTEE_CONDITIONAL: return "conditional";
    case BMO_GUARANTEE_PROVEN: return "proven";
    case BMO_GUARANTEE_EXACT: return "exact";
    default: return "unknown guarantee";
    }
}
