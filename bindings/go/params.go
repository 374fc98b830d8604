package bmo

// #include "calls.h"
import "C"

import (
	"strings"
	"sync"
)

// A ParamType is how the value of a parameter is written.
type ParamType int

// The types of parameters.
const (
	Integer ParamType = C.BMO_PARAM_TYPE_I64
	Real    ParamType = C.BMO_PARAM_TYPE_F64
	Choice  ParamType = C.BMO_PARAM_TYPE_CHOICE
)

// A Param is one row of the library's table of parameters.
type Param struct {
	Name           string
	Type           ParamType
	Choices        []string // of a Choice
	Default        string
	Summary        string
	Lower, Upper   float64 // range of a Real
	Least, Largest int64   // range of an Integer

	id C.bmo_param
}

// Params is the library's table of parameters.
func Params() []Param {
	params := make([]Param, C.bmo_param_count())
	for i := range params {
		info := C.bmo_param_info{struct_size: C.sizeof_bmo_param_info}
		if err := check(func() C.bmo_status { return C.bmo_param_at(C.int32_t(i), &info) }); err != nil {
			panic(err) // a bug: the position is in the table
		}
		params[i] = paramOf(&info)
	}
	return params
}

func paramOf(info *C.bmo_param_info) Param {
	param := Param{
		Name:    C.GoString(info.name),
		Type:    ParamType(info._type),
		Default: C.GoString(info.initial),
		Summary: C.GoString(info.summary),
		Lower:   float64(info.lower_f64),
		Upper:   float64(info.upper_f64),
		Least:   int64(info.lower_i64),
		Largest: int64(info.upper_i64),
		id:      info.param,
	}
	if param.Type == Choice {
		param.Choices = strings.Split(C.GoString(info.choices), "|")
	}
	return param
}

// choiceNames holds the name of each value of each parameter that is a choice, as the library tells them.
var choiceNames struct {
	once sync.Once
	of   map[C.bmo_param]map[C.int64_t]string
}

// choiceName is the name of a value of a choice, "" where it has none.
func choiceName(param C.bmo_param, value C.int32_t) string {
	choiceNames.once.Do(func() { choiceNames.of = readChoiceNames() })
	return choiceNames.of[param][C.int64_t(value)]
}

func readChoiceNames() map[C.bmo_param]map[C.int64_t]string {
	names := map[C.bmo_param]map[C.int64_t]string{}
	for _, param := range Params() {
		names[param.id] = map[C.int64_t]string{}
		for _, choice := range param.Choices {
			value, err := choiceValue(param, choice)
			if err != nil {
				panic(err) // a bug: the choice is in the table
			}
			names[param.id][value] = choice
		}
	}
	return names
}

func choiceValue(param Param, choice string) (C.int64_t, error) {
	var value C.int64_t
	err := withConfig(settings{params: []setting{{param.Name, choice}}}, func(config *C.bmo_config) error {
		return check(func() C.bmo_status { return C.bmo_config_get_i64(config, param.id, &value) })
	})
	return value, err
}
