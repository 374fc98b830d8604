#include "cli/hdf5/number_type.hpp"

#include <string_view>

#include "cli/text.hpp"

namespace bmo_command {

namespace {

// binary16 of IEEE 754, for which HDF5 has no name before version 2.
Hdf5Id half_type() {
    constexpr std::size_t sign = 15, exponent = 10, exponent_bits = 5, mantissa = 0, mantissa_bits = 10, bias = 15;
    Hdf5Id type(H5Tcopy(H5T_IEEE_F32LE));
    H5Tset_fields(type.get(), sign, exponent, exponent_bits, mantissa, mantissa_bits);
    H5Tset_size(type.get(), 2);
    H5Tset_ebias(type.get(), bias);
    return type;
}

bool is_in_either_order(hid_t type, hid_t little_endian) {
    const Hdf5Id turned(H5Tcopy(little_endian));
    H5Tset_order(turned.get(), H5T_ORDER_BE);
    return H5Tequal(type, little_endian) > 0 || H5Tequal(type, turned.get()) > 0;
}

bmo_dtype float_type(hid_t type) {
    if (is_in_either_order(type, H5T_IEEE_F32LE))
        return BMO_F32;
    if (is_in_either_order(type, H5T_IEEE_F64LE))
        return BMO_F64;
    return is_in_either_order(type, half_type().get()) ? BMO_F16 : 0;
}

bmo_dtype integer_type(std::size_t size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? BMO_I8 : BMO_U8;
    case 2: return is_signed ? BMO_I16 : BMO_U16;
    case 4: return is_signed ? BMO_I32 : BMO_U32;
    case 8: return BMO_I64;
    default: return 0;
    }
}

bool is_member(hid_t type, unsigned position, std::string_view wanted) {
    char *name = H5Tget_member_name(type, position);
    const bool same = name && name == wanted;
    H5free_memory(name);
    signed char value = -1;
    return same && H5Tget_member_value(type, position, &value) >= 0 && value == static_cast<signed char>(position);
}

// As h5py writes truth values.
bool is_bool(hid_t type) {
    return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 && is_member(type, 0, "FALSE") &&
           is_member(type, 1, "TRUE");
}

bool is_signed(hid_t type) {
    return H5Tget_sign(type) != H5T_SGN_NONE;
}

} // namespace

bmo_dtype number_type(hid_t type) {
    switch (H5Tget_class(type)) {
    case H5T_FLOAT: return float_type(type);
    case H5T_INTEGER: return integer_type(H5Tget_size(type), is_signed(type));
    case H5T_ENUM: return is_bool(type) ? BMO_I8 : 0;
    default: return 0;
    }
}

Hdf5Id memory_type(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F16: return half_type();
    case BMO_F32: return Hdf5Id(H5Tcopy(H5T_NATIVE_FLOAT));
    case BMO_I8: return Hdf5Id(H5Tcopy(H5T_NATIVE_INT8));
    case BMO_U8: return Hdf5Id(H5Tcopy(H5T_NATIVE_UINT8));
    case BMO_I16: return Hdf5Id(H5Tcopy(H5T_NATIVE_INT16));
    case BMO_U16: return Hdf5Id(H5Tcopy(H5T_NATIVE_UINT16));
    case BMO_I32: return Hdf5Id(H5Tcopy(H5T_NATIVE_INT32));
    case BMO_U32: return Hdf5Id(H5Tcopy(H5T_NATIVE_UINT32));
    case BMO_I64: return Hdf5Id(H5Tcopy(H5T_NATIVE_INT64));
    default: return Hdf5Id(H5Tcopy(H5T_NATIVE_DOUBLE));
    }
}

bool is_uint64(hid_t type) {
    return H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == sizeof(std::uint64_t) && !is_signed(type);
}

std::size_t bytes_of_number(bmo_dtype dtype) {
    return H5Tget_size(memory_type(dtype).get());
}

std::string type_text(hid_t type) {
    switch (H5Tget_class(type)) {
    case H5T_FLOAT: return text("floats of ", 8 * H5Tget_size(type), " bits");
    case H5T_INTEGER: return text("integers of ", 8 * H5Tget_size(type), " bits");
    case H5T_STRING: return "text";
    case H5T_COMPOUND: return "compound values";
    case H5T_ENUM: return "an enumeration";
    case H5T_REFERENCE: return "references";
    case H5T_VLEN: return "lists of any length";
    case H5T_ARRAY: return "arrays";
    default: return "values that are no numbers";
    }
}

} // namespace bmo_command
